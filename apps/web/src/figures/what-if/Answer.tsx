import type { WhatIf } from '@tallyroom/contract/figures/what-if'
import { signedPesos } from '@tallyroom/domain/money'

interface AnswerProps {
  answer: WhatIf
  hasRates: boolean
}

/** The answer in a sentence, with the offices whose own rates were kept. */
export function Answer({ answer: { overall, leftAlone }, hasRates }: AnswerProps) {
  return (
    <span>
      <Sums paid={overall.paid + (overall.tierPaid ?? 0)} difference={overall.difference} />
      {overall.tierPaid !== undefined &&
        hasRates &&
        ' By rates as in Payroll, and by tiers as in Payroll AVP.'}
      {leftAlone.length > 0 &&
        ` Not changed, because they have own rates: ${leftAlone.map(({ officeName }) => officeName).join(', ')}.`}
    </span>
  )
}

function Sums({ paid, difference }: { paid: number; difference: number }) {
  const was = `${paid === 0 ? 'Nothing' : signedPesos(paid)} was paid`
  if (difference === 0) return `${was}, and it would have been the same.`
  return (
    <>
      {was}, {signedPesos(paid + difference)} would have been:{' '}
      <b style={{ whiteSpace: 'nowrap' }}>
        {difference > 0 && '+'}
        {signedPesos(difference)}
      </b>
      {percentText(difference, paid)}.
    </>
  )
}

/** ` (12.5%)`; empty for less than would be written. */
function percentText(difference: number, paid: number): string {
  const percent = ((difference / paid) * 100).toFixed(1)
  return paid > 0 && Number(percent) !== 0 ? ` (${percent}%)` : ''
}
