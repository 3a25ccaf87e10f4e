import { Select, TextInput } from '@mantine/core'
import { actionTypes } from '@tallyroom/contract/endpoint'
import { can } from '@tallyroom/domain/abilities'
import { dateHints, isValidRange, type MaybeRange } from '@tallyroom/domain/periods'
import { roleLabel, ROLES } from '@tallyroom/domain/roles'
import { useToday } from '../../lib/clock.ts'
import { useMe } from '../../lib/session.ts'
import { AgentSelect } from '../../pickers/AgentSelect.tsx'
import { OfficeSelect } from '../../pickers/OfficeSelect.tsx'
import { PeriodSelect } from '../../pickers/PeriodSelect.tsx'
import { DateRangePicker } from '../../ui/dates/DateRangePicker.tsx'
import { CriteriaRow } from '../../ui/list/CriteriaRow.tsx'
import { useDraft } from '../../ui/list/use-draft.ts'
import type { CommonLogsCriteria } from './common-logs-search.ts'

interface CommonLogFiltersProps {
  applied: CommonLogsCriteria
  /** The server's messages by field. */
  errors: Record<string, string>
  onSearch: (criteria: CommonLogsCriteria) => void
  onClear: () => void
}

/** While it is typed, a response code is text. */
type Draft = Omit<CommonLogsCriteria, 'start' | 'end' | 'responseCode'> &
  MaybeRange & { responseCode?: string | undefined }

export function CommonLogFilters({ applied, errors, onSearch, onClear }: CommonLogFiltersProps) {
  const me = useMe()
  const today = useToday()
  const [draft, change] = useDraft<Draft>({
    ...applied,
    responseCode: applied.responseCode?.toString(),
  })
  const { start, end } = draft
  const range = { start, end }
  const isCode = isResponseCode(draft.responseCode)

  const textField = (name: TextField, label: string, width = 150) => (
    <TextInput
      label={label}
      w={width}
      maw="100%"
      maxLength={maxLengths[name]}
      value={draft[name] ?? ''}
      error={draft[name] === applied[name] && errors[name]}
      onChange={({ currentTarget }) => change({ [name]: currentTarget.value })}
    />
  )
  return (
    <CriteriaRow
      onSearch={() => {
        if (!isCode) return
        const criteria = criteriaFrom(draft)
        if (isValidRange(range)) onSearch({ ...criteria, ...range })
        else if (!start && !end) onSearch(criteria)
      }}
      onClear={() => {
        change(NOTHING)
        onClear()
      }}
    >
      {can(me, 'roles.choose') && (
        <Select
          label="Role"
          placeholder="All Roles"
          w={130}
          maw="100%"
          clearable
          clearButtonProps={{ 'aria-label': 'Clear Role' }}
          data={ROLES.map((role) => ({ value: role, label: roleLabel(role) }))}
          value={draft.role ?? null}
          onChange={(role) => change({ role: role ?? undefined })}
        />
      )}
      {textField('username', 'Auth User', 130)}
      {textField('ip', 'IP Address')}
      <Select
        label="Action Type"
        placeholder="All types"
        w={130}
        maw="100%"
        clearable
        clearButtonProps={{ 'aria-label': 'Clear Action Type' }}
        data={[...actionTypes]}
        value={draft.actionType ?? null}
        onChange={(actionType) => change({ actionType: actionType ?? undefined })}
      />
      {textField('actionName', 'Action Path', 170)}
      <TextInput
        label="Response Code"
        w={110}
        maw="100%"
        inputMode="numeric"
        maxLength={3}
        value={draft.responseCode ?? ''}
        error={!isCode && 'is 100 to 599'}
        onChange={({ currentTarget }) => change({ responseCode: currentTarget.value })}
      />
      {textField('postParams', 'Post Params (Very High Load)', 215)}
      {can(me, 'offices.choose') && (
        <OfficeSelect value={draft.companyId} onChange={(companyId) => change({ companyId })} />
      )}
      {can(me, 'agents.choose') && (
        <AgentSelect
          companyId={draft.companyId}
          agentsQuery="all"
          value={draft.agentId}
          onChange={(agentId) => change({ agentId })}
        />
      )}
      <PeriodSelect
        placeholder="Any period"
        hints={dateHints(today)}
        value={range}
        onChange={(period) => change({ start: period.start, end: period.end })}
      />
      <DateRangePicker
        optional
        width={206}
        value={range}
        onChange={(days) => change({ start: days.start, end: days.end })}
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

/** What is pasted often has a space at its end. */
const criteriaFrom = ({ start: _start, end: _end, ...draft }: Draft): CommonLogsCriteria => ({
  ...draft,
  username: draft.username?.trim() || undefined,
  ip: draft.ip?.trim() || undefined,
  actionName: draft.actionName?.trim() || undefined,
  postParams: draft.postParams?.trim() || undefined,
  responseCode: Number(draft.responseCode) || undefined,
})

const NOTHING: Draft = {
  role: undefined,
  username: undefined,
  ip: undefined,
  actionType: undefined,
  actionName: undefined,
  responseCode: undefined,
  postParams: undefined,
  companyId: undefined,
  agentId: undefined,
  start: undefined,
  end: undefined,
}
