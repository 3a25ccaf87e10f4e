import { crc32 } from 'node:zlib'

/** Adds an id to an order-independent checksum. Exact for up to two million ids. */
export const addId = (checksum: number, id: string): number => checksum + crc32(id)
