import { formatPesos } from '@tallyroom/domain/money'

/** What reaching a tier does to the week's pay. The next tier may pay as much as the present one, or less. */
export function TierAdds({ pesos, isPaid }: { pesos: number; isPaid: boolean }) {
  if (pesos === 0) return `that ${isPaid ? 'adds' : 'would add'} nothing by tier`
  const amount = <strong>{formatPesos(pesos)}</strong>
  return pesos > 0 ? (
    <>
      that {isPaid ? 'adds' : 'would add'} {amount} to this week
    </>
  ) : (
    <>
      that {isPaid ? 'takes' : 'would take'} {amount} off this week
    </>
  )
}
