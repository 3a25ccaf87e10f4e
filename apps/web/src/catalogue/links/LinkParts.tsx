import { Alert, TextInput } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { LONGEST_PAGE } from '@tallyroom/domain/merchant-page'
import { LONGEST_SUB, SUB_NAMES } from '@tallyroom/domain/tracked-link'
import { isApiError } from '../../lib/api-error.ts'
import type { Carried } from './links-search.ts'
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

interface CarriedFieldsProps {
  carried: Carried
  /** Why no link leads to the page. */
  problem: string | undefined
  onChange: (part: Carried) => void
  /** Called when a field loses focus. */
  onLeave: () => void
}

/** The page that links lead to, and the agent's sub ids. The links update while they are typed. */
export const CarriedFields = ({ carried, problem, onChange, onLeave }: CarriedFieldsProps) => (
  <>
    <PageField {...{ carried, problem, onChange, onLeave }} />
    <SubFields {...{ carried, onChange, onLeave }} />
  </>
)

const PageField = ({ carried, problem, onChange, onLeave }: CarriedFieldsProps) => (
  <TextInput
    className={classes.page}
    label="Page (optional): paste one of the merchant’s, and the links lead there"
    placeholder="https://"
    inputMode="url"
    autoComplete="off"
    autoCapitalize="none"
    spellCheck={false}
    maxLength={LONGEST_PAGE}
    value={carried.to ?? ''}
    error={problem && `This ${problem}`}
    onChange={({ currentTarget }) => onChange({ to: currentTarget.value })}
    onBlur={onLeave}
  />
)

const SubFields = ({
  carried,
  onChange,
  onLeave,
}: Pick<CarriedFieldsProps, 'carried' | 'onChange' | 'onLeave'>) => (
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
        value={carried[name] ?? ''}
        onChange={({ currentTarget }) => onChange({ [name]: currentTarget.value })}
        onBlur={onLeave}
      />
    ))}
  </fieldset>
)
