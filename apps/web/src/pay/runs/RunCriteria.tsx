import type { PaymentRun } from '@tallyroom/contract/pay/runs/runs'
import { addDays } from '@tallyroom/domain/new-york'
import { MOST_DAYS_AHEAD } from '@tallyroom/domain/pay'
import { DayPicker } from '../../ui/dates/DayPicker.tsx'
import { Select } from '../../ui/Select.tsx'
import type { Asked } from '../payment-runs.api.ts'
import { paysWhom } from './run-words.ts'

interface RunCriteriaProps {
  /** The names of closed periods. */
  periods: readonly string[]
  templates: { value: string; label: string }[]
  asked: Asked
  onChange: (next: Partial<Asked>) => void
  bank: PaymentRun['bank']
  executionDay: string
  onDay: (day: string) => void
}

/** Which balances a run pays, by which file and on which day. */
export const RunCriteria = ({
  periods,
  templates,
  asked,
  onChange,
  bank,
  executionDay,
  onDay,
}: RunCriteriaProps) => (
  <>
    <Select
      label="Pay"
      w={200}
      data={[
        { value: ALL, label: paysWhom(null) },
        ...periods.map((name) => ({ value: name, label: paysWhom(name) })),
      ]}
      value={asked.period ?? ALL}
      onChange={(value) => onChange({ period: value === ALL ? null : value })}
    />
    <Select
      label="Currency"
      w={120}
      data={[
        { value: 'PHP', label: 'Pesos' },
        { value: 'USD', label: 'Dollars' },
      ]}
      value={asked.currency}
      onChange={(value) => onChange({ currency: value === 'USD' ? 'USD' : 'PHP' })}
    />
    <Select
      label="Pay file"
      w={200}
      data={templates}
      value={String(asked.templateId)}
      onChange={(value) => onChange({ templateId: Number(value) })}
    />
    <DayPicker
      label="Execution date"
      value={executionDay}
      onChange={onDay}
      min={bank.today}
      max={addDays(bank.today, MOST_DAYS_AHEAD)}
    />
  </>
)

const ALL = 'all'
