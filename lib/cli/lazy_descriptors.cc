// Every schema that protobuf generated code for registers its description before main() runs, which was a tenth of a
// command that needs none of them. The linker puts this function in place of that constructor (hwest_program in
// cmake/hwest_library.cmake); protobuf itself adds the description of a message, and those of the files it imports,
// when the first one is asked for.
extern "C" void __wrap__ZN6google8protobuf8internal20AddDescriptorsRunnerC1EPKNS1_15DescriptorTableE(void*,
                                                                                                     const void*);

void __wrap__ZN6google8protobuf8internal20AddDescriptorsRunnerC1EPKNS1_15DescriptorTableE(void*, const void*) {}
