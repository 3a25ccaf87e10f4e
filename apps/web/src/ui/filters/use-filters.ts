import { isValidRange, type MaybeRange } from '@tallyroom/domain/periods'
import { useDraft } from './use-draft.ts'

/** What the filters of a list show and do. */
export interface Filtering<Criteria> {
  /** The criteria in the URL. */
  applied: Criteria
  onSearch: (criteria: Criteria) => void
  onClear: () => void
}

/** The criteria while they are edited: one of two days may still be missing. */
export type DraftOf<Criteria> = Omit<Criteria, 'start' | 'end'> & MaybeRange

/**
 * The filters of a list. `field` ties a criterion to its field: `<TextFilter label="IP" {...field('ip')} />`, and `row`
 * the draft to its `CriteriaRow`. Search does nothing while one of two days is missing or before the other.
 */
export function useFilters<Criteria extends object>({
  applied,
  onSearch,
  onClear,
}: Filtering<Criteria>) {
  const [draft, change, clear] = useDraft<DraftOf<Criteria>>(applied, onClear)
  const search = () => {
    const { start, end, ...others } = trimmed<MaybeRange>(draft)
    const range = { start, end }
    // What is left of a draft without days, or with two, are criteria.
    if (isValidRange(range)) onSearch({ ...others, ...range } as Criteria)
    else if (!start && !end) onSearch(others as Criteria)
  }
  return {
    draft,
    change,
    field: <Name extends keyof DraftOf<Criteria>>(name: Name) => ({
      value: draft[name],
      onChange: (value: DraftOf<Criteria>[Name]) => {
        const changed: Partial<DraftOf<Criteria>> = {}
        changed[name] = value
        change(changed)
      },
    }),
    row: { onSearch: search, onClear: clear },
  }
}

/** Pasted text often ends with a space. An empty text does not filter. */
const trimmed = <Draft extends object>(draft: Draft) =>
  Object.fromEntries(
    Object.entries(draft).map(([name, value]: [string, unknown]) => [
      name,
      typeof value === 'string' ? value.trim() || undefined : value,
    ]),
  ) as Draft
