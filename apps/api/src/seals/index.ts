export { beginSeals } from './begin-seals.ts'
export { changeSealed, insertSealed, insertSealedRows, sealRows } from './seal.ts'
export { type AsOf, findBegunAt, lockSealHead, placeOf, stoodAt } from './seals.queries.ts'
export { type KnownSeal, type SealFindings, verifySeals } from './verify-seals.ts'
