import { statusLabel, type Visibility } from '@tallyroom/domain/labels'
import classes from './StatusText.module.css'

/** 'Activated' or 'Suspended', with '(Hidden)' when hidden. */
export const StatusText = ({ status }: { status: Visibility }) => (
  <span
    className={classes.status}
    data-suspended={!status.active || undefined}
    data-hidden={status.hidden || undefined}
  >
    {statusLabel(status)}
  </span>
)
