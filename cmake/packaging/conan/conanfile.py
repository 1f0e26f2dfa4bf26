"""conan create cmake/packaging/conan: libhwest with its C and C++ API, and the program. Graphviz's headers are the
system's: ConanCenter has no Graphviz."""

import os
import re

from conan import ConanFile
from conan.tools.build import check_min_cppstd
from conan.tools.cmake import CMake, CMakeToolchain, cmake_layout
from conan.tools.files import copy, load
from conan.tools.gnu import PkgConfigDeps
from conan.tools.system.package_manager import Apt, Dnf

SOURCES = ("CMakeLists.txt", "LICENSE", "capi/*", "cmake/*", "docs/*", "include/*", "lib/*")


class OnnxHwest(ConanFile):
    name = "onnx-hwest"
    license = "Apache-2.0"
    description = "Hardware estimates for ONNX models: latency, memory, energy, fusion and placement"
    settings = "os", "arch", "compiler", "build_type"
    generators = "CMakeDeps",
    package_type = "shared-library"

    @property
    def top(self):
        return os.path.join(self.recipe_folder, "..", "..", "..")

    def set_version(self):
        text = load(self, os.path.join(self.top, "CMakeLists.txt"))
        self.version = re.search(r"project\(onnx-hwest VERSION (\S+)", text)[1]

    def export_sources(self):
        for pattern in SOURCES:
            copy(self, pattern, self.top, self.export_sources_folder, excludes=("*/node_modules/*",))

    def layout(self):
        cmake_layout(self)

    def requirements(self):
        self.requires("abseil/[>=20220623 <20250000]")
        self.requires("protobuf/[>=3.21 <6]")
        self.requires("zlib/[>=1.2.11 <2]")
        self.requires("nlohmann_json/[>=3.10 <4]")

    def build_requirements(self):
        self.tool_requires("protobuf/<host_version>")

    def system_requirements(self):
        Apt(self).install(["libgraphviz-dev", "pkg-config"])
        Dnf(self).install(["graphviz-devel", "pkgconf"])

    def validate(self):
        check_min_cppstd(self, 20)

    def generate(self):
        toolchain = CMakeToolchain(self)
        toolchain.blocks.remove("output_dirs")  # it makes bin of libexec, whose folder onnx-hwest is the program's name
        toolchain.cache_variables.update({"CMAKE_INSTALL_LIBDIR": "lib", "HWEST_BUILD_TESTS": False,
                                          "HWEST_BUILD_EXAMPLES": False})
        toolchain.generate()
        PkgConfigDeps(self).generate()

    def build(self):
        cmake = CMake(self)
        cmake.configure()
        cmake.build()

    def package(self):
        CMake(self).install()

    def package_info(self):
        self.cpp_info.set_property("cmake_file_name", "onnx_hwest")
        self.cpp_info.set_property("cmake_target_name", "onnx_hwest::hwest")
        self.cpp_info.set_property("pkg_config_name", "onnx_hwest")
        self.cpp_info.libs = ["hwest"]
