import { CopyButton } from './CopyButton.tsx'
import classes from './PasswordText.module.css'
import { Tooltip } from './floating/Tooltip.tsx'

/** A password in clear, to be read and copied; null where the server keeps none in readable form. */
export const PasswordText = ({ value }: { value: string | null | undefined }) =>
  value == null ? (
    <Tooltip label="Not kept in readable form" withArrow>
      <span>–</span>
    </Tooltip>
  ) : (
    <span className={classes.password}>
      <code title={value}>{value}</code>
      <CopyButton value={value} what="password" />
    </span>
  )
