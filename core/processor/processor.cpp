// What the processor can do, for the choice between the copies of the core in a wheel. It is compiled for any processor and
// is a module of its own, because importing a copy that cannot run would end the program.
#define PY_SSIZE_T_CLEAN
#include <Python.h>

static bool has_avx2() {
    __builtin_cpu_init();
    // What -march=x86-64-v3 uses. The built-in function knows whether the operating system keeps the wide registers.
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && __builtin_cpu_supports("bmi") &&
           __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("popcnt");
}

static int set_up(PyObject* module) {
    PyObject* has = has_avx2() ? Py_True : Py_False;
    Py_INCREF(has);
    const int failed = PyModule_AddObject(module, "HAS_AVX2", has);
    if (failed) Py_DECREF(has);
    return failed;
}

static PyModuleDef_Slot slots[] = {{Py_mod_exec, reinterpret_cast<void*>(set_up)}, {0, nullptr}};
static PyModuleDef definition = {PyModuleDef_HEAD_INIT, "_processor", "What the processor can do.", 0, nullptr, slots, nullptr, nullptr, nullptr};

PyMODINIT_FUNC PyInit__processor() { return PyModuleDef_Init(&definition); }
