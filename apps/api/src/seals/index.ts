export { beginSeals } from './begin-seals.ts'
export { checkRows, type Relied } from './check-rows.ts'
export { changeSealed, insertSealed, insertSealedRows, sealRows } from './seal.ts'
export type { SealedTable } from './sealed-tables.ts'
export {
  type AsOf,
  findBegunAt,
  lockSealHead,
  placeOf,
  stoodAt,
  type Which,
} from './seals.queries.ts'
export { type KnownSeal, type SealFindings, verifySeals } from './verify-seals.ts'
