import { formatPesos } from '@tallyroom/domain/money'
import { MarginMark } from '../../shared/MarginMark.tsx'
import { AmountInput } from '../../ui/form/AmountInput.tsx'
import { areAmounts, type OtherRate } from './other-rates.ts'
import { nameOfTypeIn, type RateSite } from './what-if.api.ts'
import classes from './what-if.module.css'

interface RateTableProps {
  sites: readonly RateSite[]
  rates: ReadonlyMap<number, OtherRate>
  onChange: (rates: Map<number, OtherRate>) => void
}

/** The link types of sites, with what they pay now and inputs for what they would pay. */
export function RateTable({ sites, rates, onChange }: RateTableProps) {
  const nameOfType = nameOfTypeIn(sites)
  return (
    <table className={classes.rates}>
      <caption>Other rates. Where a field is empty, what was paid stays.</caption>
      <thead>
        <tr>
          <th scope="col">Link type</th>
          <th scope="col">Payout now</th>
          <th scope="col">Would be</th>
          <th scope="col">Bonus now</th>
          <th scope="col">Would be</th>
        </tr>
      </thead>
      {sites.map(({ id, name: site, types }) => (
        <tbody key={id} aria-label={site}>
          {sites.length > 1 && (
            <tr>
              <th scope="rowgroup" colSpan={5} className={classes.site}>
                {site}
              </th>
            </tr>
          )}
          {types.map((type) => {
            const other = rates.get(type.id) ?? NOTHING
            const field = (name: keyof OtherRate, label: string) => (
              <AmountInput
                aria-label={`${label} of ${nameOfType(type.id)}`}
                currency="₱"
                size="xs"
                w={110}
                value={other[name]}
                error={!areAmounts([other[name]])}
                onChange={({ currentTarget: { value } }) =>
                  onChange(new Map(rates).set(type.id, { ...other, [name]: value.trim() }))
                }
              />
            )
            return (
              <tr key={type.id}>
                <th scope="row">
                  {type.typename}
                  {!type.active && ' (Suspended)'}
                  <MarginMark earning={type.earning} payout={typed(other.payout)} />
                  <MarginMark
                    of="Bonus"
                    earning={type.bonusEarning}
                    payout={typed(other.bonusPayout)}
                  />
                </th>
                <td>{formatPesos(type.payout)}</td>
                <td>{field('payout', 'Other payout')}</td>
                <td>{type.bonus || type.bonusPayout ? formatPesos(type.bonusPayout) : '–'}</td>
                <td>{field('bonusPayout', 'Other bonus payout')}</td>
              </tr>
            )
          })}
        </tbody>
      ))}
    </table>
  )
}

const NOTHING: OtherRate = { payout: '', bonusPayout: '' }

const typed = (text: string) => (text === '' ? undefined : Number(text))
