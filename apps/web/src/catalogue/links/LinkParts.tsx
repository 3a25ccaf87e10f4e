import { Alert, TextInput } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { LONGEST_SUB, SUB_NAMES, type Subs } from '@tallyroom/domain/tracked-link'
import { isApiError } from '../../lib/api-error.ts'
import classes from './SubFields.module.css'

/** Explains why there are no links. Links that would not work are not handed out. */
export function Refusal({ error, isOwn }: { error: Error | null; isOwn: boolean }) {
  if (!isApiError(error, 'VALIDATION_ERROR')) return null
  const subjects: Record<string, string> = {
    siteId: 'The site',
    agentId: isOwn ? 'Your account' : 'The agent',
  }
  const sentences = Object.entries(error.data).map(
    ([field, [message = '']]) => `${subjects[field] ?? field} ${message}.`,
  )
  return (
    <Alert
      color="yellow"
      role="alert"
      icon={<IconAlertTriangle size={16} />}
      styles={{
        message: { color: 'var(--mantine-color-text)' },
        root: { paddingBlock: 8, flex: 'none' },
      }}
    >
      {sentences.join(' ')}
    </Alert>
  )
}

interface SubFieldsProps {
  subs: Subs
  onChange: (subs: Subs) => void
  /** Called when a field loses focus. */
  onLeave: () => void
}

/** The agent's sub ids. The links update while they are typed. */
export const SubFields = ({ subs, onChange, onLeave }: SubFieldsProps) => (
  <fieldset className={classes.subs}>
    <legend>
      Sub ids (optional): stored with each click, and passed to merchants who ask for them
    </legend>
    {SUB_NAMES.map((name) => (
      <TextInput
        key={name}
        aria-label={name}
        placeholder={name}
        maxLength={LONGEST_SUB}
        autoComplete="off"
        value={subs[name] ?? ''}
        onChange={({ currentTarget }) => onChange({ [name]: currentTarget.value })}
        onBlur={onLeave}
      />
    ))}
  </fieldset>
)
