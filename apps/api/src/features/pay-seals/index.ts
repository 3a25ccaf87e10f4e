export { beginSeals } from './begin-seals.ts'
export { changeSealed, sealRows } from './seal.ts'
export { type SealFindings, verifySeals } from './verify-seals.ts'
