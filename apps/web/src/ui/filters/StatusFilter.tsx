import { statusLabel } from '@tallyroom/domain/labels'
import { STATUSES, type StatusChoice } from './status-search.ts'
import { ChoiceFilter } from './ChoiceFilter.tsx'

interface StatusFilterProps {
  value: StatusChoice | undefined
  onChange: (status: StatusChoice | undefined) => void
}

export const StatusFilter = ({ value, onChange }: StatusFilterProps) => (
  <ChoiceFilter label="Status" options={options} value={value} onChange={onChange} />
)

const options = STATUSES.map((status) => ({
  value: status,
  label: statusLabel({ active: status === 'activated' }),
}))
