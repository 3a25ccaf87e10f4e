import { Burger } from '@mantine/core'
import { formatClock, NEW_YORK } from '@tallyroom/domain/new-york'
import type { ReactNode } from 'react'
import { useNow } from '../lib/clock.ts'
import classes from './PageHeader.module.css'
import { Tooltip } from './Tooltip.tsx'

interface PageHeaderProps {
  title: string
  username: string
  onMenu: () => void
  controls?: ReactNode
}

export function PageHeader({ title, username, onMenu, controls }: PageHeaderProps) {
  return (
    <header className={classes.header}>
      <Burger className={classes.burger} size="sm" onClick={onMenu} aria-label="Open menu" />
      <h1 className={classes.title}>{title}</h1>
      <div className={classes.facts}>
        <span className={classes.user}>User: {username}</span>
        <NewYorkClock />
      </div>
      <div className={classes.controls}>{controls}</div>
    </header>
  )
}

/** A live clock in New York time, which defines 'today' on every page. */
function NewYorkClock() {
  const now = useNow()
  return (
    <Tooltip label={`${NEW_YORK}. All dates and statistics are in this time zone.`} withArrow>
      <time className="tr-figures" dateTime={new Date(now).toISOString()} tabIndex={0}>
        {formatClock(now)}
      </time>
    </Tooltip>
  )
}
