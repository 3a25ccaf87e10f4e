import { Switch } from '@mantine/core'
import type { FeeRates, OfficeFee } from '@tallyroom/contract/office-fees'
import type { DatedRate } from '@tallyroom/contract/rates'
import { NEW_YORK } from '@tallyroom/domain/new-york'
import { MarginMark } from '../../pickers/MarginMark.tsx'
import { OfficeLink } from '../../ui/ObjectLink.tsx'
import type { ListColumn } from '../../ui/list/columns.ts'
import type { CsvColumn } from '../../ui/list/ExportCsv.tsx'
import type { FeeChange } from './office-fees.api.ts'
import { RateField } from './RateField.tsx'
import { currencyOf, rateText, type RateUnit } from './rate-text.ts'
import type { RowSaves } from './row-saves.ts'
import { SaveState } from './SaveState.tsx'
import classes from './fee-columns.module.css'

/** A row with its pending changes applied. */
export type ShownFee = OfficeFee & { saves: RowSaves<FeeChange> | undefined }

export const shownFee = (fee: OfficeFee, saves: RowSaves<FeeChange> | undefined): ShownFee => {
  const change = Object.assign({}, ...(saves?.waiting ?? [])) as Partial<FeeChange> // later ones over earlier
  const { enable = fee.enable, ...rates } = change
  return {
    ...fee,
    ...(enable ? { ...(fee.own ?? fee.defaults), ...rates } : fee.defaults),
    enable,
    saves,
  }
}

export interface RateColumn {
  field: keyof FeeRates
  header: string
  unit: RateUnit
  bonus: boolean
}

/** In the order of the specification. On an approve-sale site, the bonus is Day#2. */
export function rateColumns({
  useApproveSale,
  hasBonus,
}: {
  useApproveSale: boolean
  hasBonus: boolean
}): RateColumn[] {
  const sale = useApproveSale ? 'Day#1 ' : ''
  const bonus = useApproveSale ? 'Day#2 ' : 'Bonus '
  const columns: RateColumn[] = [
    { field: 'earning', header: `${sale}Earning`, unit: 'dollars', bonus: false },
    { field: 'payout', header: `${sale}Payout`, unit: 'pesos', bonus: false },
    { field: 'lpp', header: `${sale}LPP`, unit: 'points', bonus: false },
    { field: 'bonusPayout', header: `${bonus}Payout`, unit: 'pesos', bonus: true },
    { field: 'bonusEarning', header: `${bonus}Earning`, unit: 'dollars', bonus: true },
    { field: 'bonusLpp', header: `${bonus}LPP`, unit: 'points', bonus: true },
  ]
  return columns.filter((column) => hasBonus || !column.bonus)
}

interface FeeColumnsInput {
  rates: readonly RateColumn[]
  /** What is prepared, nearest day first. */
  prepared: readonly DatedRate[]
  /** Opens an office's rates with their dates. */
  onDates: (companyId: number) => void
  onChange: (companyId: number, change: FeeChange) => void
  /** The change in the number of fields with an unsaved draft. Must be a stable function. */
  onDrafts: (change: 1 | -1) => void
}

export const feeColumns = ({
  rates,
  prepared,
  onDates,
  onChange,
  onDrafts,
}: FeeColumnsInput): ListColumn<ShownFee>[] => [
  {
    id: 'officeName',
    header: 'Office',
    card: 'title',
    fixed: true,
    cell: ({ companyId, officeName, active, hidden, saves, ...fee }) => (
      <div className={classes.office}>
        <span>
          <OfficeLink id={companyId}>{officeName}</OfficeLink>
          {(!active || hidden) && (
            <span className={classes.mark}>
              {!active && ' (Suspended)'}
              {hidden && ' (Hidden)'}
            </span>
          )}
        </span>
        <SaveState saves={saves} />
        <MarginMark earning={fee.earning} payout={fee.payout} />
        {rates.some(({ bonus }) => bonus) && (
          <MarginMark of="Bonus" earning={fee.bonusEarning} payout={fee.bonusPayout} />
        )}
      </div>
    ),
  },
  {
    id: 'enable',
    header: 'Enable',
    card: 'money',
    note: 'On: the office’s own rates apply. Off: the link type’s default rates apply.',
    fixed: true,
    skeletonWidth: 32,
    cell: ({ companyId, officeName, enable }) => (
      <Switch
        size="xs"
        aria-label={`Own rates of ${officeName}`}
        checked={enable}
        onChange={({ currentTarget }) => onChange(companyId, { enable: currentTarget.checked })}
      />
    ),
  },
  ...rates.map(({ field, header, unit, bonus }): ListColumn<ShownFee> => ({
    id: field,
    header,
    numeric: true,
    bonus,
    cell: (row) => (
      <>
        {row.enable ? (
          <RateField
            label={`${header} of ${row.officeName}`}
            unit={unit}
            value={row[field]}
            onChange={(value) => onChange(row.companyId, { enable: true, [field]: value })}
            onDrafts={onDrafts}
          />
        ) : (
          <span className={classes.default}>
            {currencyOf(unit)}
            {rateText(row[field], unit)}
          </span>
        )}
        <Prepared
          rates={prepared.filter(({ companyId }) => companyId === row.companyId)}
          present={row[field]}
          field={field}
          unit={unit}
        />
      </>
    ),
  })),
  {
    id: 'dates',
    header: 'Dates',
    note: 'Prepare rates for a coming day, and see which ones were in force when.',
    card: 'detail',
    skeletonWidth: 48,
    cell: ({ companyId, officeName }) => (
      <button
        type="button"
        className={classes.dates}
        aria-label={`Dates of ${officeName}’s rates`}
        onClick={() => onDates(companyId)}
      >
        Dates…
      </button>
    ),
  },
]

/** `₱480.00 from Dec 1`: the next value of a rate that differs from the present one. */
export function Prepared({
  rates,
  present,
  field,
  unit,
  inline = false,
}: {
  rates: readonly DatedRate[]
  present: number
  field: keyof FeeRates
  unit: RateUnit
  /** Within a line of text. */
  inline?: boolean
}) {
  const next = rates.find((rate) => !rate.enable || rate[field] !== present)
  if (!next?.validFrom) return null
  const value = next.enable ? `${currencyOf(unit)}${rateText(next[field] ?? 0, unit)}` : 'default'
  return (
    <span className={inline ? classes.mark : classes.prepared}>
      {value} from {dayText(next.validFrom)}
    </span>
  )
}

/** `Dec 1`, in New York. */
const dayText = (instant: string) => shortDay.format(new Date(instant))
const shortDay = new Intl.DateTimeFormat('en-US', {
  month: 'short',
  day: 'numeric',
  timeZone: NEW_YORK,
})

export const feeCsvColumns = (rates: readonly RateColumn[]): CsvColumn<OfficeFee>[] => [
  { header: 'Office', value: ({ officeName }) => officeName },
  { header: 'Enable', value: ({ enable }) => (enable ? 'Yes' : 'No') },
  ...rates.map(({ field, header }) => ({ header, value: (fee: OfficeFee) => fee[field] })),
]
