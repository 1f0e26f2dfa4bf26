"""What `conan create` runs last: a program that links the package estimates a model, and so does the package's own."""

import os

from conan import ConanFile
from conan.tools.build import can_run
from conan.tools.cmake import CMake, cmake_layout


class TestPackage(ConanFile):
    settings = "os", "arch", "compiler", "build_type"
    generators = "CMakeDeps", "CMakeToolchain"

    def requirements(self):
        self.requires(self.tested_reference_str, run=True)

    def layout(self):
        cmake_layout(self)

    def build(self):
        cmake = CMake(self)
        cmake.configure()
        cmake.build()

    def test(self):
        if can_run(self):
            model = os.path.join(self.recipe_folder, "..", "..", "..", "..", "examples", "models", "resnet18.onnx")
            self.run(f'"{os.path.join(self.cpp.build.bindir, "estimate")}" "{model}" hailo-8', env="conanrun")
            self.run(f'onnx-hwest "{model}" --target hailo-8 --quiet', env="conanrun")
