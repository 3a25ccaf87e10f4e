import type { ReactNode } from 'react'

export const Section = ({ title, children }: { title: string; children: ReactNode }) => (
  <section aria-label={title}>
    <h2 style={{ margin: '0 0 12px', fontSize: 14 }}>{title}</h2>
    {children}
  </section>
)
