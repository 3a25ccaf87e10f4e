import type { WaitingProposal } from '@tallyroom/contract/pay/proposals'
import { moneyText, rateText } from '@tallyroom/contract/pay/statement-sections'

/** What a proposal is called where no link fits. */
export function proposalName(does: WaitingProposal['does']): string {
  switch (does.kind) {
    case 'adjustment':
      return `${moneyText(does.amount, does.currency)} for ${does.payee.name}`
    case 'exchange rate':
      return `${rateText(does.pesosE4)} in ${does.period}`
    case 'result':
      return `${does.reference} failed`
    case 'limits':
      return 'Other limits'
  }
}
