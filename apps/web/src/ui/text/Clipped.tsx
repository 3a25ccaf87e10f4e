import classes from './Clipped.module.css'

/** Text of any length in one line of a table. What does not fit is in the tooltip, and a card shows all of it. */
export const Clipped = ({ children }: { children: string }) => (
  <span className={classes.clipped} title={children}>
    {children}
  </span>
)
