import { spawnSync } from 'node:child_process'
import { rmSync } from 'node:fs'
import { run } from '../project.mjs'

/**
 * Packs the folder `name` of `parent` so that nothing of whoever packs it is inside: sorted, all of one date, owned by nobody,
 * readable by all.
 *
 * @throws without GNU's tar, which is `gtar` where the system has its own.
 */
export function writeArchive(archive, parent, name, madeAt) {
  const unpacked = archive.replace(/\.gz$/, '')
  run(gnuTar(), [
    '--create',
    `--file=${unpacked}`,
    '--format=gnu',
    '--sort=name',
    `--mtime=@${madeAt.getTime() / 1_000}`,
    '--owner=0',
    '--group=0',
    '--numeric-owner',
    '--mode=u=rwX,go=rX',
    `--directory=${parent}`,
    name,
  ])
  rmSync(archive, { force: true })
  // Neither its name nor its time.
  run('gzip', ['--no-name', '--best', unpacked])
}

function gnuTar() {
  const found = ['tar', 'gtar'].find((program) =>
    /GNU tar/.test(spawnSync(program, ['--version'], { encoding: 'utf8' }).stdout ?? ''),
  )
  if (!found) throw new Error('A release is packed by GNU tar: install it (on macOS: gnu-tar).')
  return found
}
