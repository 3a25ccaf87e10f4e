import { Burger } from '@mantine/core'
import type { ReactNode } from 'react'
import classes from './PageHeader.module.css'
import { NewYorkClock } from './NewYorkClock.tsx'

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
