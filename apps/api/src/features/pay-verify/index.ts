export { type PayFindings, verifyInside, verifyPay } from './verify-pay.ts'
