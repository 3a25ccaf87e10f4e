import { formatPesos } from '@tallyroom/domain/money'

/** What reaching a tier does to the week's pay. The next tier may pay as much as the present one, or less. */
export function TierAdds({ pesos }: { pesos: number }) {
  if (pesos === 0) return 'this week’s pay stays the same'
  const amount = <strong>{formatPesos(pesos)}</strong>
  return pesos > 0 ? <>that adds {amount} to this week</> : <>that takes {amount} off this week</>
}
