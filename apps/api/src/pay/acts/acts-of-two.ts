import type { ActOfTwo } from '../proposals/act-of-two.ts'
import type { Proposal, ProposalKind } from '../ledger/proposals.queries.ts'
import { failure } from '../paying/results.ts'
import { refusedFile } from '../paying/refused-files.ts'
import { paymentReturn } from '../paying/returns.ts'
import { paymentOutside } from '../outside/outside.ts'
import { moneyReceived } from '../outside/received.ts'
import { adjustment } from './adjust.ts'
import { exchangeRate } from './exchange-rate.ts'
import { conversion, correction } from './former-balance.ts'
import { limits } from './limits.ts'
import { taxRate } from './tax-rates.ts'

const acts: { readonly [Kind in ProposalKind]: ActOfTwo<Kind> } = {
  adjustment,
  'exchange rate': exchangeRate,
  result: failure,
  return: paymentReturn,
  'refused file': refusedFile,
  'payment outside': paymentOutside,
  'money received': moneyReceived,
  correction,
  conversion,
  'tax rate': taxRate,
  limits,
}

/** The act that a proposal waits for. */
export const actOf = ({ act: { kind } }: Proposal): ActOfTwo<ProposalKind> =>
  acts[kind] as ActOfTwo<ProposalKind> // of the proposal's own kind
