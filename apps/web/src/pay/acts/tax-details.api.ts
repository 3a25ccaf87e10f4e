import type { Payee } from '@tallyroom/contract/pay/statement'
import { taxDetailsEndpoints } from '@tallyroom/contract/pay/tax-details'
import { queryOf } from '../../lib/queries.ts'
import { payeeParams } from '../pay-words.ts'

export const taxDetailsQuery = (payee: Payee) =>
  queryOf(taxDetailsEndpoints.taxDetails, { params: payeeParams(payee) })

export const payerDetailsQuery = queryOf(taxDetailsEndpoints.payerDetails, {})
