import type { WaitingProposal } from '@tallyroom/contract/pay/acts/proposals'
import { dayInWords } from '@tallyroom/domain/acts'
import { moneyText, rateText, taxText } from '@tallyroom/contract/pay/statements/statement-sections'

/** What a proposal is called where no link fits. */
export function proposalName(does: WaitingProposal['does']): string {
  switch (does.kind) {
    case 'adjustment':
      return `${moneyText(does.amount, does.currency)} for ${does.payee.name}`
    case 'exchange rate':
      return `${rateText(does.pesosE4)} in ${does.period}`
    case 'result':
      return `${does.reference} failed`
    case 'return':
      return `${does.reference} came back`
    case 'refused file':
      return `The bank refused ${does.file}`
    case 'payment outside':
      return `${moneyText(does.amount, does.currency)} paid to ${does.payee.name}, voucher ${does.voucher}`
    case 'money received':
      return `${moneyText(does.amount, does.currency)} received from ${does.payee.name}, voucher ${does.voucher}`
    case 'correction':
      return `${moneyText(does.amount, does.currency)} for ${does.payee.name}`
    case 'conversion':
      return `${moneyText(does.amount, does.currency)} of ${does.payee.name} converted`
    case 'tax rate':
      return `Withholding tax of ${does.payee.name}: ${taxText(does)}`
    case 'limits':
      return 'Other limits'
  }
}

/** Who can approve instead of the viewer; what to do if nobody can. */
export function whoCanInstead({
  approvers,
  isYours,
}: Pick<WaitingProposal, 'approvers' | 'isYours'>): string {
  const able = approvers.filter(({ whyNot }) => whyNot === null).map(({ name }) => name)
  if (able.length > 0) return `These people can: ${able.join(', ')}.`
  const [first] = approvers
    .flatMap(({ name, from }) => (from ? [{ name, from }] : []))
    .toSorted((a, b) => a.from.localeCompare(b.from))
  return [
    `Nobody can now: ${approvers.map(({ name, whyNot }) => `${name} ${whyNot}`).join('; ')}.`,
    ...(first ? [`${first.name} can from ${dayInWords(new Date(first.from))} on.`] : []),
    'A superadmin can give PAY to somebody else, who can approve seven days after they were granted PAY and set a password of their own.',
    isYours ? 'Or withdraw it.' : 'Or refuse it.',
  ].join(' ')
}
