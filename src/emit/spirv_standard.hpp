// The numbers of the SPIR-V specification (unified1), of GLSL.std.450 and of OpenCL.std that the emitter uses, by their
// standard names.
#pragma once

#include <cstdint>

namespace seiche::emit::spirv {

using Word = std::uint32_t;
using Id = std::uint32_t;

inline constexpr Word magic_number = 0x07230203;

enum class Code : std::uint16_t {
    Undef = 1,
    Source = 3,
    Name = 5,
    MemberName = 6,
    String = 7,
    Extension = 10,
    ExtInstImport = 11,
    ExtInst = 12,
    MemoryModel = 14,
    EntryPoint = 15,
    ExecutionMode = 16,
    Capability = 17,
    TypeVoid = 19,
    TypeBool = 20,
    TypeInt = 21,
    TypeFloat = 22,
    TypeVector = 23,
    TypeImage = 25,
    TypeArray = 28,
    TypeRuntimeArray = 29,
    TypeStruct = 30,
    TypePointer = 32,
    TypeFunction = 33,
    ConstantTrue = 41,
    ConstantFalse = 42,
    Constant = 43,
    ConstantComposite = 44,
    Function = 54,
    FunctionParameter = 55,
    FunctionEnd = 56,
    Variable = 59,
    Load = 61,
    Store = 62,
    AccessChain = 65,
    InBoundsAccessChain = 66,
    InBoundsPtrAccessChain = 70,
    Decorate = 71,
    MemberDecorate = 72,
    VectorShuffle = 79,
    CompositeConstruct = 80,
    CompositeExtract = 81,
    CompositeInsert = 82,
    ImageRead = 98,
    ImageWrite = 99,
    ConvertFToU = 109,
    ConvertFToS = 110,
    ConvertSToF = 111,
    ConvertUToF = 112,
    UConvert = 113,
    SConvert = 114,
    FConvert = 115,
    ConvertUToPtr = 120,
    Bitcast = 124,
    SNegate = 126,
    FNegate = 127,
    IAdd = 128,
    FAdd = 129,
    ISub = 130,
    FSub = 131,
    IMul = 132,
    FMul = 133,
    UDiv = 134,
    FDiv = 136,
    UMod = 137,
    UMulExtended = 151,
    LogicalEqual = 164,
    LogicalNotEqual = 165,
    LogicalOr = 166,
    LogicalAnd = 167,
    LogicalNot = 168,
    Select = 169,
    IEqual = 170,
    INotEqual = 171,
    ULessThan = 176,
    SLessThan = 177,
    ULessThanEqual = 178,
    SLessThanEqual = 179,
    FOrdEqual = 180,
    FUnordNotEqual = 183,
    FOrdLessThan = 184,
    FOrdLessThanEqual = 188,
    ShiftRightLogical = 194,
    ShiftRightArithmetic = 195,
    ShiftLeftLogical = 196,
    BitwiseOr = 197,
    BitwiseXor = 198,
    BitwiseAnd = 199,
    Not = 200,
    BitReverse = 204,
    ControlBarrier = 224,
    MemoryBarrier = 225,
    AtomicLoad = 227,
    AtomicStore = 228,
    AtomicExchange = 229,
    AtomicIAdd = 234,
    Phi = 245,
    LoopMerge = 246,
    SelectionMerge = 247,
    Label = 248,
    Branch = 249,
    BranchConditional = 250,
    Return = 253,
    GroupNonUniformShuffle = 345,
    GroupNonUniformShuffleXor = 346
};

enum class Capability : Word {
    Shader = 1,
    Addresses = 4,
    Kernel = 6,
    Vector16 = 7,
    Float16Buffer = 8,
    Float64 = 10,
    Int64 = 11,
    Int64Atomics = 12,
    Int16 = 22,
    Int8 = 39,
    StorageImageExtendedFormats = 49,
    SubgroupDispatch = 58,
    GroupNonUniform = 61,
    GroupNonUniformShuffle = 65,
    StorageBuffer16BitAccess = 4433,
    StorageBuffer8BitAccess = 4448,
    PhysicalStorageBufferAddresses = 5347
};

enum class AddressingModel : Word { Logical = 0, Physical64 = 2, PhysicalStorageBuffer64 = 5348 };
enum class MemoryModel : Word { GLSL450 = 1, OpenCL = 2 };
enum class ExecutionModel : Word { GLCompute = 5, Kernel = 6 };
enum class ExecutionMode : Word { LocalSize = 17, ContractionOff = 31, SubgroupSize = 35 };

enum class StorageClass : Word {
    UniformConstant = 0,
    Input = 1,
    Workgroup = 4,
    CrossWorkgroup = 5,
    Function = 7,
    PushConstant = 9,
    StorageBuffer = 12,
    PhysicalStorageBuffer = 5349
};

enum class Decoration : Word {
    Block = 2,
    ArrayStride = 6,
    BuiltIn = 11,
    Restrict = 19,
    Aliased = 20,
    Constant = 22,
    Coherent = 23,
    NonWritable = 24,
    NonReadable = 25,
    SaturatedConversion = 28,
    Binding = 33,
    DescriptorSet = 34,
    Offset = 35,
    FuncParamAttr = 38,
    FPRoundingMode = 39,
    NoContraction = 42,
    Alignment = 44
};

// Of an image: two dimensions, neither depth nor array nor samples, known to be without a sampler; and its format.
inline constexpr Word image_2d = 1, image_stored = 2;
enum class ImageFormatCode : Word { Rgba32f = 1, Rgba16f = 2, R32f = 3, Rg32f = 6 };

enum class FunctionParameterAttribute : Word { NoAlias = 4, NoWrite = 6 };
inline constexpr Word round_to_nearest_even = 0;  // FPRoundingMode RTE

enum class BuiltIn : Word {
    NumWorkgroups = 24,
    WorkgroupId = 26,
    LocalInvocationId = 27,
    SubgroupLocalInvocationId = 41
};

enum class Scope : Word { Device = 1, Workgroup = 2, Subgroup = 3 };

// Bits of memory semantics.
inline constexpr Word semantics_none = 0x0;
inline constexpr Word semantics_acquire = 0x2;
inline constexpr Word semantics_release = 0x4;
inline constexpr Word semantics_acquire_release = 0x8;
inline constexpr Word semantics_uniform_memory = 0x40;  // storage buffers
inline constexpr Word semantics_workgroup_memory = 0x100;
inline constexpr Word semantics_cross_workgroup_memory = 0x200;

inline constexpr Word memory_access_aligned = 0x2;  // followed by the alignment in bytes

// Instructions of GLSL.std.450.
namespace glsl {
inline constexpr Word RoundEven = 2, FAbs = 4, SAbs = 5, Floor = 8, Sin = 13, Cos = 14, Atan2 = 25, Pow = 26, Exp = 27,
                      Log = 28, Sqrt = 31, FMin = 37, UMin = 38, SMin = 39, FMax = 40, UMax = 41, SMax = 42, Fma = 50;
}

// Instructions of OpenCL.std.
namespace opencl_std {
inline constexpr Word atan2 = 7, cos = 14, cospi = 16, exp = 19, fabs = 23, floor = 25, fma = 26, fmax = 27, fmin = 28,
                      log = 37, pow = 48, sin = 57, sinpi = 60, sqrt = 61, native_cos = 81, native_sin = 92,
                      s_abs = 141, s_max = 156, u_max = 157, s_min = 158, u_min = 159, vload_half = 173,
                      vload_halfn = 174, vstore_half_r = 176, vstore_halfn_r = 178, u_mul_hi = 203;
}

}  // namespace seiche::emit::spirv
