import { useEffect, type ReactNode } from 'react'
import { useBrand } from '../lib/brand.ts'
import { BrandMark } from './BrandMark.tsx'
import classes from './DoorFrame.module.css'

interface DoorFrameProps {
  title: string
  children?: ReactNode
  /** Shown below the form. */
  links?: ReactNode
}

/** The frame of pages outside the app: sign-in and password pages. */
export function DoorFrame({ title, children, links }: DoorFrameProps) {
  const { name } = useBrand()
  useEffect(() => {
    document.title = `${title} · ${name}`
  }, [title, name])
  return (
    <main className={classes.page}>
      <div className={classes.card}>
        <BrandMark size="large" />
        <h1 className={classes.title}>{title}</h1>
        {children}
        {links && <p className={classes.links}>{links}</p>}
      </div>
      <BrandMark.Copyright />
    </main>
  )
}
