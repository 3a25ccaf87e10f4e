import { subLabel } from '@tallyroom/contract/figures/stats-table'
import { LONGEST_SUB, SUB_NAMES, type SubName } from '@tallyroom/domain/tracked-link'
import { ChoiceFilter } from '../ui/filters/ChoiceFilter.tsx'
import { TextFilter } from '../ui/filters/TextFilter.tsx'

interface SubCriteria {
  sub?: SubName | undefined
  subId?: string | undefined
}

interface SubIdFilterProps {
  draft: SubCriteria
  onChange: (part: SubCriteria) => void
}

/** The filter by a sub id of the clicks: which of them, then its whole value. An empty one finds clicks without it. */
export const SubIdFilter = ({ draft: { sub, subId }, onChange }: SubIdFilterProps) => (
  <>
    <ChoiceFilter
      label="Sub id"
      all="Any sub id"
      width={118}
      options={SUB_NAMES.map((name) => ({ value: name, label: subLabel(name) }))}
      value={sub}
      onChange={(name) => onChange({ sub: name, subId: name && subId })}
    />
    {sub && (
      <TextFilter
        label={`${subLabel(sub)} is`}
        placeholder="(none)"
        width={130}
        maxLength={LONGEST_SUB}
        value={subId}
        onChange={(text) => onChange({ subId: text || undefined })}
      />
    )}
  </>
)
