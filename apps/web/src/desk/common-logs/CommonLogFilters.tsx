import { actionTypes } from '@tallyroom/contract/endpoint'
import { can } from '@tallyroom/domain/abilities'
import type { MaybeRange } from '@tallyroom/domain/periods'
import { roleLabel, ROLES } from '@tallyroom/domain/roles'
import { useMe } from '../../lib/session.ts'
import { criteriaOfDraft, type WithDays } from '../../shared/log-criteria.ts'
import { OfficeAgentFields } from '../../shared/OfficeAgentFields.tsx'
import { DateRangePicker } from '../../ui/dates/DateRangePicker.tsx'
import { ChoiceFilter } from '../../ui/list/ChoiceFilter.tsx'
import { CriteriaRow } from '../../ui/list/CriteriaRow.tsx'
import { TextFilter } from '../../ui/list/TextFilter.tsx'
import { type Filtering, useDraft } from '../../ui/list/use-draft.ts'
import type { CommonLogsCriteria } from './common-logs-search.ts'

interface CommonLogFiltersProps extends Filtering<CommonLogsCriteria> {
  /** The server's messages by field. */
  errors: Record<string, string>
}

/** As typed: the response code is still text. */
type Draft = Omit<CommonLogsCriteria, 'start' | 'end' | 'responseCode'> &
  MaybeRange & { responseCode?: string | undefined }

export function CommonLogFilters({ applied, errors, onSearch, onClear }: CommonLogFiltersProps) {
  const me = useMe()
  const [draft, change, clear] = useDraft<Draft>(
    { ...applied, responseCode: applied.responseCode?.toString() },
    onClear,
  )
  const isCode = isResponseCode(draft.responseCode)

  const textField = (name: TextField, label: string, width = 150) => (
    <TextFilter
      label={label}
      width={width}
      maxLength={maxLengths[name]}
      value={draft[name]}
      error={draft[name] === applied[name] && errors[name]}
      onChange={(text) => change({ [name]: text })}
    />
  )
  return (
    <CriteriaRow
      onSearch={() => {
        const criteria = criteriaOfDraft(draft)
        if (isCode && criteria) onSearch(tidy(criteria))
      }}
      onClear={clear}
    >
      {can(me, 'roles.choose') && (
        <ChoiceFilter
          label="Role"
          all="All Roles"
          width={130}
          options={ROLES.map((role) => ({ value: role, label: roleLabel(role) }))}
          value={draft.role}
          onChange={(role) => change({ role })}
        />
      )}
      {textField('username', 'Auth User', 130)}
      {textField('ip', 'IP Address')}
      <ChoiceFilter
        label="Action Type"
        all="All types"
        width={130}
        options={actionTypes}
        value={draft.actionType}
        onChange={(actionType) => change({ actionType })}
      />
      {textField('actionName', 'Action Path', 170)}
      <TextFilter
        label="Response Code"
        width={110}
        inputMode="numeric"
        maxLength={3}
        value={draft.responseCode}
        error={!isCode && 'Enter 100 to 599'}
        onChange={(responseCode) => change({ responseCode })}
      />
      {textField('postParams', 'Post Params (Very High Load)', 236)}
      <OfficeAgentFields draft={draft} onChange={change} />
      <DateRangePicker
        optional
        width={206}
        value={{ start: draft.start, end: draft.end }}
        onChange={({ start, end }) => change({ start, end })}
      />
    </CriteriaRow>
  )
}

type TextField = 'username' | 'ip' | 'actionName' | 'postParams'

const maxLengths: Record<TextField, number> = {
  username: 64,
  ip: 64,
  actionName: 200,
  postParams: 200,
}

const isResponseCode = (text = '') => /^\s*$|^[1-5]\d\d$/.test(text)

/** Pasted text often ends with a space. */
const tidy = (draft: WithDays<Draft>): CommonLogsCriteria => ({
  ...draft,
  username: draft.username?.trim() || undefined,
  ip: draft.ip?.trim() || undefined,
  actionName: draft.actionName?.trim() || undefined,
  postParams: draft.postParams?.trim() || undefined,
  responseCode: Number(draft.responseCode) || undefined,
})
