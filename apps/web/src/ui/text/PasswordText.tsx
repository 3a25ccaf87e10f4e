import { useMutation } from '@tanstack/react-query'
import { IconEye } from '@tabler/icons-react'
import type { AdminItem } from '@tallyroom/contract/people/admins'
import { CopyButton } from '../CopyButton.tsx'
import { Tooltip } from '../Tooltip.tsx'
import { IconButton } from '../IconButton.tsx'
import classes from './PasswordText.module.css'

export interface PasswordTextProps {
  /** A row of a list. */
  of: Pick<AdminItem, 'username' | 'plainPassword' | 'passwordHidden'>
  /** Fetches a hidden password. The common logs record it. */
  reveal: () => Promise<{ plainPassword: string | null }>
}

/** A password in plain text, or dots, with what shows it. */
export function PasswordText({
  of: { username, plainPassword, passwordHidden },
  reveal,
}: PasswordTextProps) {
  const { mutate, data, isPending } = useMutation({ mutationFn: reveal })
  if (passwordHidden === 'one by one' && !data) {
    return (
      <span className={classes.password}>
        <Dots />
        <Tooltip label="Show password" withArrow>
          <IconButton
            onClick={() => mutate()}
            disabled={isPending}
            aria-label={`Show the password of ${username}`}
          >
            <IconEye size={14} />
          </IconButton>
        </Tooltip>
      </span>
    )
  }
  if (passwordHidden === 'until proved' || passwordHidden === 'never') {
    return (
      <Tooltip label={whyHidden[passwordHidden]} withArrow multiline maw={260}>
        <span
          className={classes.password}
          role="img"
          aria-label={`The password of ${username}, hidden`}
        >
          <Dots />
        </span>
      </Tooltip>
    )
  }
  if (passwordHidden === 'may pay') {
    return (
      <Tooltip
        label="They may pay, so nobody can read their password. They can set a new one by “Forgot your password?”"
        withArrow
        multiline
        maw={260}
      >
        <span>–</span>
      </Tooltip>
    )
  }
  const value = data ? data.plainPassword : plainPassword
  if (value == null) {
    return (
      <Tooltip label="Stored only as a hash" withArrow>
        <span>–</span>
      </Tooltip>
    )
  }
  return (
    <span className={classes.password}>
      <code title={value}>{value}</code>
      <CopyButton value={value} what="password" />
    </span>
  )
}

const Dots = () => (
  <span aria-hidden className={classes.hidden}>
    ••••••••
  </span>
)

const whyHidden = {
  'until proved':
    'Choose “Show passwords” and enter your own: you did so more than ten minutes ago',
  never: 'Only for somebody who has signed in to their own account with its password',
}
