import { ActionIcon, Button, TextInput, VisuallyHidden } from '@mantine/core'
import { MAX_AVP_TIERS } from '@tallyroom/contract/catalogue/avp-schedules'
import { IconTrash } from '@tabler/icons-react'
import { addTier, changeTier, removeTier, type TierValues } from './schedule-form.ts'
import classes from './TierFields.module.css'

interface TierFieldsProps {
  tiers: readonly TierValues[]
  problems: readonly string[]
  onChange: (tiers: TierValues[]) => void
}

/** One row per tier. Problems are shown as they are typed. */
export function TierFields({ tiers, problems, onChange }: TierFieldsProps) {
  const last = tiers.length - 1
  return (
    <div role="group" aria-label="Tiers">
      <table className={classes.tiers}>
        <thead>
          <tr>
            <th scope="col">Tier</th>
            <th scope="col">From sales</th>
            <th scope="col">To sales</th>
            <th scope="col">₱ per sale</th>
            <th scope="col">$ per sale</th>
            <th scope="col">
              <VisuallyHidden>Remove</VisuallyHidden>
            </th>
          </tr>
        </thead>
        <tbody>
          {tiers.map((tier, index) => {
            const field = (name: keyof TierValues & string, label: string, maxLength: number) => (
              <TextInput
                aria-label={`${label} of tier ${index}`}
                inputMode={maxLength > 6 ? 'decimal' : 'numeric'}
                maxLength={maxLength}
                value={tier[name] ?? ''}
                onChange={({ currentTarget: { value } }) =>
                  onChange(changeTier(tiers, index, { [name]: value }))
                }
              />
            )
            return (
              // A tier is identified by its position alone.
              // oxlint-disable-next-line react/no-array-index-key
              <tr key={index}>
                <th scope="row">{index}</th>
                <td>{field('from', 'From sales', 6)}</td>
                <td>{index === last ? 'and up' : field('to', 'To sales', 6)}</td>
                <td>{field('payoutPhp', '₱ per sale', 10)}</td>
                <td>{field('payoutDollars', '$ per sale', 10)}</td>
                <td>
                  <ActionIcon
                    variant="subtle"
                    color="gray"
                    aria-label={`Remove tier ${index}`}
                    disabled={tiers.length === 1}
                    onClick={() => onChange(removeTier(tiers, index))}
                  >
                    <IconTrash size={16} stroke={1.6} />
                  </ActionIcon>
                </td>
              </tr>
            )
          })}
        </tbody>
      </table>
      <Button
        variant="default"
        size="compact-sm"
        mt={8}
        disabled={tiers.length >= MAX_AVP_TIERS}
        onClick={() => onChange(addTier(tiers))}
      >
        + Add tier
      </Button>
      <ul className={classes.problems} aria-live="polite" aria-label="Problems">
        {problems.map((problem) => (
          <li key={problem}>{problem}</li>
        ))}
      </ul>
    </div>
  )
}
