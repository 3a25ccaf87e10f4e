import type { ActOfTwo } from '../proposals/act-of-two.ts'
import type { Proposal, ProposalKind } from '../periods/proposals.queries.ts'
import { failure } from '../runs/results.ts'
import { paymentReturn } from '../runs/returns.ts'
import { adjustment } from '../periods/adjust.ts'
import { exchangeRate } from './exchange-rate.ts'
import { conversion, correction } from '../periods/former-balance.ts'
import { limits } from './limits.ts'
import { paymentOutside } from '../periods/outside.ts'
import { taxRate } from '../periods/tax-rates.ts'

const acts: { readonly [Kind in ProposalKind]: ActOfTwo<Kind> } = {
  adjustment,
  'exchange rate': exchangeRate,
  result: failure,
  return: paymentReturn,
  'payment outside': paymentOutside,
  correction,
  conversion,
  'tax rate': taxRate,
  limits,
}

/** The act that a proposal waits for. */
export const actOf = ({ act: { kind } }: Proposal): ActOfTwo<ProposalKind> =>
  acts[kind] as ActOfTwo<ProposalKind> // of the proposal's own kind
