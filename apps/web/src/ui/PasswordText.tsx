import { useMutation } from '@tanstack/react-query'
import { IconEye } from '@tabler/icons-react'
import { CopyButton } from './CopyButton.tsx'
import { Tooltip } from './Tooltip.tsx'
import { IconButton } from './IconButton.tsx'
import classes from './PasswordText.module.css'

export interface PasswordTextProps {
  /** A row of a list. */
  of: {
    username: string
    plainPassword?: string | null | undefined
    passwordHidden?: true | undefined
  }
  /** Fetches a hidden password. The common logs record it. */
  reveal: () => Promise<{ plainPassword: string | null }>
}

/** A password in plain text. If the list hides it, a click fetches it. */
export function PasswordText({
  of: { username, plainPassword, passwordHidden },
  reveal,
}: PasswordTextProps) {
  const { mutate, data, isPending } = useMutation({ mutationFn: reveal })
  const value = passwordHidden ? data?.plainPassword : plainPassword
  if (passwordHidden && !data) {
    return (
      <span className={classes.password}>
        <span aria-hidden className={classes.hidden}>
          ••••••••
        </span>
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
