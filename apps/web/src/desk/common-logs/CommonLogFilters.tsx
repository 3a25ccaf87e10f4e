import { actionTypes } from '@tallyroom/contract/endpoint'
import { can } from '@tallyroom/domain/abilities'
import { roleLabel, ROLES } from '@tallyroom/domain/roles'
import { useMe } from '../../lib/session.ts'
import { OfficeAgentFields } from '../../shared/pickers/OfficeAgentFields.tsx'
import { PeriodFields } from '../../shared/pickers/PeriodFields.tsx'
import { ChoiceFilter } from '../../ui/filters/ChoiceFilter.tsx'
import { CriteriaRow } from '../../ui/filters/CriteriaRow.tsx'
import { TextFilter } from '../../ui/filters/TextFilter.tsx'
import type { CommonLogsCriteria } from './common-logs-search.ts'
import { type Filtering, useFilters } from '../../ui/filters/use-filters.ts'

interface CommonLogFiltersProps extends Filtering<CommonLogsCriteria> {
  /** The server's messages by field. */
  errors: Record<string, string>
}

/** As typed: the response code is still text. */
type Typed = Omit<CommonLogsCriteria, 'responseCode'> & { responseCode?: string | undefined }

export function CommonLogFilters({ applied, errors, onSearch, onClear }: CommonLogFiltersProps) {
  const me = useMe()
  const { draft, change, field, row } = useFilters<Typed>({
    applied: { ...applied, responseCode: applied.responseCode?.toString() },
    onSearch: ({ responseCode, ...criteria }) => {
      if (isResponseCode(responseCode))
        onSearch({ ...criteria, responseCode: Number(responseCode) || undefined })
    },
    onClear,
  })

  const textField = (name: TextField, label: string, width = 150) => (
    <TextFilter
      label={label}
      width={width}
      maxLength={maxLengths[name]}
      error={draft[name] === applied[name] && errors[name]}
      {...field(name)}
    />
  )
  return (
    <CriteriaRow {...row}>
      {can(me, 'roles.choose') && (
        <ChoiceFilter
          label="Role"
          all="All Roles"
          width={130}
          options={ROLES.map((role) => ({ value: role, label: roleLabel(role) }))}
          {...field('role')}
        />
      )}
      {textField('username', 'Auth User', 130)}
      {textField('ip', 'IP Address')}
      <ChoiceFilter
        label="Action Type"
        all="All types"
        width={130}
        options={actionTypes}
        {...field('actionType')}
      />
      {textField('actionName', 'Action Path', 170)}
      <TextFilter
        label="Response Code"
        width={110}
        inputMode="numeric"
        maxLength={3}
        error={!isResponseCode(draft.responseCode) && 'Enter 100 to 599'}
        {...field('responseCode')}
      />
      {textField('postParams', 'Post Params (Very High Load)', 236)}
      <OfficeAgentFields draft={draft} onChange={change} />
      <PeriodFields draft={draft} onChange={change} />
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
