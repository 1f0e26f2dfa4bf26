// Code that protobuf generates registers the description of every schema before main(), which took a tenth of a command
// that needs none of them. The linker replaces that constructor with this function (hwest_program in
// cmake/hwest_library.cmake); protobuf itself adds a description, and those of the files it imports, on first use. In
// WebAssembly constructors return their object; elsewhere nobody looks at it.
// NOLINTBEGIN(bugprone-reserved-identifier): the name is the linker's
extern "C" void* __wrap__ZN6google8protobuf8internal20AddDescriptorsRunnerC1EPKNS1_15DescriptorTableE(void*,
                                                                                                      const void*);

void* __wrap__ZN6google8protobuf8internal20AddDescriptorsRunnerC1EPKNS1_15DescriptorTableE(void* runner, const void*) {
  return runner;
}
// NOLINTEND(bugprone-reserved-identifier)
