import type { ReactNode } from 'react'
import classes from './BonusLabel.module.css'

/**
 * A bonus figure. The product's bonus red, #ff3300, is too pale for small text on white (3.66:1),
 * so it is the mark beside the figure, and the figure takes the nearest shade that can be read.
 */
export const BonusLabel = ({ children }: { children: ReactNode }) => (
  <span className={classes.bonus}>{children}</span>
)
