import type { Payee } from '@tallyroom/contract/pay/terms/payees'
import { taxDetailsEndpoints } from '@tallyroom/contract/pay/acts/tax-details'
import { queryOf } from '../../lib/queries.ts'
import { payeeParams } from '../pay-words.ts'

export const taxDetailsQuery = (payee: Payee) =>
  queryOf(taxDetailsEndpoints.taxDetails, { params: payeeParams(payee) })

export const payerDetailsQuery = queryOf(taxDetailsEndpoints.payerDetails, {})
