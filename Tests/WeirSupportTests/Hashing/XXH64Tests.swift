import Foundation
import Testing
import WeirSupport

/// The seed of the published vectors, and the generator's start.
private let prime32: UInt64 = 2_654_435_761

/// Published sanity vectors of the xxHash project: length, hash with seed 0, hash with seed 2654435761.
@Test(
    arguments: [
        (0, 0xef46_db37_51d8_e999, 0xac75_fda2_929b_17ef),
        (1, 0xe934_a84a_db05_2768, 0x5014_6076_43a9_b4c3),
        (4, 0x9136_a0dc_a574_57ee, 0xcaab_286b_d8e9_fdb5),
        (6, 0xc725_65b7_1542_68a8, 0xca4c_6723_580e_8ef6),
        (7, 0x6c83_909a_9f01_ed25, 0xf98d_03b1_ad6f_9293),
        (8, 0xcdbc_f538_e71d_1348, 0xfe0c_047a_5353_cdac),
        (9, 0x554b_1ae9_91ed_a6b6, 0x7908_2652_48f6_d73f),
        (10, 0x5d00_e735_1392_ea84, 0x2a8a_e16b_86cd_2f12),
        (11, 0x6345_d574_6f35_da70, 0xeaa0_8a8c_8be3_cccf),
        (12, 0x0723_bf50_086e_ad9a, 0x8252_819f_4e50_6951),
        (13, 0xc2e5_013e_3c40_bcf7, 0x4df4_37a2_91cb_1039),
        (14, 0x8282_dcc4_994e_35c8, 0xc3bd_6bf6_3deb_6df0),
        (15, 0x1807_1931_6d62_2d84, 0xd611_05c2_0e91_f99f),
        (16, 0x98c9_0b57_fdfc_b55c, 0xc900_ad2d_536b_607e),
        (17, 0x0d39_a2d0_51a3_0c2c, 0x495c_d68a_647c_7a22),
        (18, 0x33e8_4a43_33b2_b2eb, 0x2325_a30c_ca1a_66dd),
        (19, 0xe91c_6ef3_1fc0_8f82, 0x0680_9662_799b_7d6f),
        (20, 0x5f8c_6835_5769_439e, 0x9721_8696_c2d2_9602),
        (21, 0x42b0_b8ee_353a_c461, 0x7fc0_bb45_1b83_a633),
        (22, 0x65c9_35c6_9780_98b1, 0xc4a0_dd14_bf83_5c13),
        (32, 0x18b2_1649_2bb4_4b70, 0xb3f3_3bdf_93ad_e409),
        (95, 0xff9f_46bd_cc64_4624, 0x72e7_5a56_0ef6_24a3),
        (222, 0xb641_ae8c_b691_c174, 0x20cb_8ab7_ae10_c14a),
        (4161, 0xcd3d_6df2_db50_9a75, 0x2394_cb79_e973_68d1),
    ] as [(Int, UInt64, UInt64)])
func xxh64GivesThePublishedHash(length: Int, plain: UInt64, seeded: UInt64) {
    let bytes = sanityBuffer(length)
    #expect(XXH64Hasher.hash(bytes) == plain)
    #expect(XXH64Hasher.hash(bytes, seed: prime32) == seeded)
}

@Test func xxh64GivesTheKnownHashesOfText() {
    #expect(XXH64Hasher.hash("a".utf8) == 0xd24e_c4f1_a98c_6e5b)
    #expect(XXH64Hasher.hash("abc".utf8) == 0x44bc_2cf5_ad77_0999)
    #expect(XXH64Hasher.hash("Hello, world!".utf8) == 0xf583_36a7_8b6f_9476)
}

@Test func xxh64DoesNotDependOnHowTheBytesAreCut() {
    for length in [0, 1, 31, 32, 33, 63, 64, 65, 200] {
        let bytes = pattern(length)
        let whole = XXH64Hasher.hash(bytes, seed: 7)
        for cut in 0...length {
            var hasher = XXH64Hasher(seed: 7)
            hasher.update(bytes[..<cut])
            hasher.update([])
            hasher.update(bytes[cut...])
            #expect(hasher.finalize() == whole)
        }
        var single = XXH64Hasher(seed: 7)
        for byte in bytes { single.update(CollectionOfOne(byte)) }
        #expect(single.finalize() == whole)
    }
}

@Test func xxh64TakesEveryKindOfCollectionAtAnyAddress() {
    let bytes = pattern(100)
    let expected = XXH64Hasher.hash(bytes)
    #expect(XXH64Hasher.hash(Data(bytes)) == expected)
    #expect(XXH64Hasher.hash(bytes.reversed().lazy.reversed()) == expected)
    for shift in 1...8 {
        #expect(XXH64Hasher.hash(([UInt8](repeating: 9, count: shift) + bytes).dropFirst(shift)) == expected)
    }
}

@Test func xxh64FindsEveryFlippedBit() {
    let bytes = pattern(100)
    var seen: Set = [XXH64Hasher.hash(bytes)]
    for bit in 0..<800 {
        var damaged = bytes
        damaged[bit / 8] ^= 1 << UInt8(bit % 8)
        seen.insert(XXH64Hasher.hash(damaged))
    }
    #expect(seen.count == 801)
}

/// The generator that the published vectors are made over.
private func sanityBuffer(_ length: Int) -> [UInt8] {
    var state = prime32
    return (0..<length).map { _ in
        defer { state &*= 11_400_714_785_074_694_797 }
        return UInt8(state >> 56)
    }
}
