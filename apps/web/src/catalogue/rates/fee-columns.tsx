import { Switch } from '@mantine/core'
import type { OfficeFee } from '@tallyroom/contract/catalogue/office-fees'
import type { DatedRate } from '@tallyroom/contract/catalogue/rates'
import { MarginMark } from '../../shared/MarginMark.tsx'
import { DatesButton } from '../../shared/rates/DatesButton.tsx'
import { Prepared } from '../../shared/rates/Prepared.tsx'
import type { RateColumn } from '../../shared/rates/rate-columns.ts'
import { currencyOf, rateText } from '../../shared/rates/rate-text.ts'
import { OfficeLink } from '../../ui/ObjectLink.tsx'
import type { ListColumn } from '../../ui/list/columns.ts'
import type { FeeChange } from './office-fees.api.ts'
import { RateField } from './RateField.tsx'
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

interface FeeColumnsInput {
  rates: readonly RateColumn[]
  /** What is prepared, earliest first. */
  prepared: readonly DatedRate[]
  /** Opens an office's dated rates. */
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
    csv: ({ officeName }) => officeName,
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
    csv: ({ enable }) => (enable ? 'Yes' : 'No'),
  },
  ...rates.map(({ field, header, unit, bonus }): ListColumn<ShownFee> => ({
    id: field,
    header,
    numeric: true,
    bonus,
    csv: (fee) => fee[field],
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
        <div className={classes.prepared}>
          <Prepared
            rates={prepared.filter(({ companyId }) => companyId === row.companyId)}
            present={row[field]}
            field={field}
            unit={unit}
          />
        </div>
      </>
    ),
  })),
  {
    id: 'dates',
    header: 'Dates',
    note: 'Prepare rates for a future day, and see which ones were in force when.',
    card: 'detail',
    skeletonWidth: 48,
    cell: ({ companyId, officeName }) => (
      <DatesButton label={`Dates of ${officeName}’s rates`} onClick={() => onDates(companyId)} />
    ),
  },
]
