import { criteriaOfDraft, NO_LOG_CRITERIA, type LogDraft } from '../../pickers/log-criteria.ts'
import { LogFields } from '../../pickers/LogFields.tsx'
import { ChoiceFilter } from '../../ui/list/ChoiceFilter.tsx'
import { CriteriaRow } from '../../ui/list/CriteriaRow.tsx'
import { TextFilter } from '../../ui/list/TextFilter.tsx'
import { useDraft } from '../../ui/list/use-draft.ts'
import type { RecordType, SaleLogsCriteria } from './sale-logs-search.ts'

interface SaleLogFiltersProps {
  applied: SaleLogsCriteria
  onSearch: (criteria: SaleLogsCriteria) => void
  onClear: () => void
}

type Draft = LogDraft & Pick<SaleLogsCriteria, 'recordType' | 'clickId' | 'email'>

export function SaleLogFilters({ applied, onSearch, onClear }: SaleLogFiltersProps) {
  const [draft, change] = useDraft<Draft>(applied)
  return (
    <CriteriaRow
      onSearch={() => {
        const criteria = criteriaOfDraft(draft)
        if (criteria) onSearch(tidy(criteria))
      }}
      onClear={() => {
        change({ ...NO_LOG_CRITERIA, ...NOTHING })
        onClear()
      }}
    >
      <LogFields draft={draft} onChange={change} />
      <ChoiceFilter
        label="Record type"
        all="All records"
        width={130}
        options={recordTypeOptions}
        value={draft.recordType}
        onChange={(recordType) => change({ recordType })}
      />
      <TextFilter
        label="Click id"
        width={130}
        maxLength={64}
        value={draft.clickId}
        onChange={(clickId) => change({ clickId })}
      />
      <TextFilter
        label="Email"
        width={150}
        maxLength={254}
        inputMode="email"
        value={draft.email}
        onChange={(email) => change({ email })}
      />
    </CriteriaRow>
  )
}

const recordTypeOptions: { value: RecordType; label: string }[] = [
  { value: 'sale', label: 'Sale' },
  { value: 'bonus', label: 'Bonus' },
  { value: 'click', label: 'Click' },
  { value: 'reversal', label: 'Reversals' },
]

const NOTHING = { recordType: undefined, clickId: undefined, email: undefined }

/** What is pasted often has a space at its end. */
const tidy = ({ clickId, email, ...others }: SaleLogsCriteria): SaleLogsCriteria => ({
  ...others,
  clickId: clickId?.trim() || undefined,
  email: email?.trim() || undefined,
})
