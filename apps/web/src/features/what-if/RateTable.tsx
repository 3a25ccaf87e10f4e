import type { LinkTypeItem } from '@tallyroom/contract/link-types'
import { formatPesos } from '@tallyroom/domain/money'
import { MarginMark } from '../../pickers/MarginMark.tsx'
import { AmountInput } from '../../ui/form/AmountInput.tsx'
import { areAmounts, type OtherRate } from './other-rates.ts'
import classes from './what-if.module.css'

interface RateTableProps {
  types: readonly LinkTypeItem[]
  rates: ReadonlyMap<number, OtherRate>
  onChange: (rates: Map<number, OtherRate>) => void
}

/** A site's link types with what they pay now and, as typed, what they would pay. */
export function RateTable({ types, rates, onChange }: RateTableProps) {
  return (
    <table className={classes.rates}>
      <caption>Other rates. What is left empty is paid as it was.</caption>
      <thead>
        <tr>
          <th scope="col">Link type</th>
          <th scope="col">Payout now</th>
          <th scope="col">Would be</th>
          <th scope="col">Bonus now</th>
          <th scope="col">Would be</th>
        </tr>
      </thead>
      <tbody>
        {types.map((type) => {
          const other = rates.get(type.id) ?? NOTHING
          const field = (name: keyof OtherRate, label: string) => (
            <AmountInput
              aria-label={`${label} of ${type.typename}`}
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
    </table>
  )
}

const NOTHING: OtherRate = { payout: '', bonusPayout: '' }

const typed = (text: string) => (text === '' ? undefined : Number(text))
