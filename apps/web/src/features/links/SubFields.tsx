import { TextInput } from '@mantine/core'
import { SUB_NAMES, type Subs } from '@tallyroom/domain/tracked-link'
import { LONGEST_SUB } from './links-search.ts'
import classes from './SubFields.module.css'

interface SubFieldsProps {
  subs: Subs
  onChange: (subs: Subs) => void
  /** A field was left. */
  onLeave: () => void
}

/** The agent's own marks: put into the links as they are typed. */
export const SubFields = ({ subs, onChange, onLeave }: SubFieldsProps) => (
  <fieldset className={classes.subs}>
    <legend>
      Sub ids (optional): kept with each click, handed on where the merchant asks for them
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
