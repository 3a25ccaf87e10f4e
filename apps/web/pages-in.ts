interface FoundPage {
  path: string
  /** Of its component, relative to the route table. */
  module: string
}

/** The pages of a route table that load their component, read from its source. Tabs of a page are part of it. */
export function pagesIn(source: string): FoundPage[] {
  const shared = new Map(
    [...source.matchAll(/^const (\w+) = \(\) => import\('([^']+)'\)/gm)].map(([, name, module]) => [
      name,
      module,
    ]),
  )
  return source.split(/\b(?=(?:page|createRoute|leadsTo|\w+Tab)\()/).flatMap((part) => {
    const [, made, parent, path] =
      /^(page|createRoute)\(\{\s*(?:getParentRoute: \(\) => (\w+),\s*)?path: '([^']+)'/.exec(
        part,
      ) ?? []
    const [, own, name] =
      /lazyRouteComponent\(\s*(?:\(\) => import\('([^']+)'\)|(\w+))/.exec(part) ?? []
    const module = own ?? shared.get(name)
    if (path === undefined || module === undefined) return []
    const isInFrame = made === 'page' || parent === 'frameRoute'
    return [{ path: isInFrame ? `/app${path}` : path, module }]
  })
}
