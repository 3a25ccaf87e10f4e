# The image of a release, without npm, compiler or network:
#
#   npm run release
#   docker build --build-arg RELEASE=dist/tallyroom-1.0.0-linux-x64.tar.gz --tag tallyroom:1.0.0 .
#
# docs/operations.md, "In a container", says how it is run.

ARG BASE=docker.io/library/debian:bookworm-slim

FROM ${BASE} AS release
ARG RELEASE
COPY ${RELEASE} /release.tar.gz
RUN mkdir /opt/tallyroom && tar -xzf /release.tar.gz -C /opt/tallyroom --strip-components=1 --no-same-owner

FROM ${BASE}
# Ids that no distribution gives to somebody else; DATA_DIR is the only folder that is theirs.
RUN groupadd --gid 10001 tallyroom \
  && useradd --uid 10001 --gid 10001 --no-create-home --home-dir /var/lib/tallyroom --shell /usr/sbin/nologin tallyroom \
  && install --directory --owner=tallyroom --group=tallyroom --mode=0711 /var/lib/tallyroom
COPY --from=release /opt/tallyroom /opt/tallyroom
WORKDIR /opt/tallyroom
ENV HOST=0.0.0.0 \
    DATA_DIR=/var/lib/tallyroom \
    NODE_COMPILE_CACHE=/var/lib/tallyroom/compiled
USER 10001:10001
VOLUME /var/lib/tallyroom
EXPOSE 3000
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=3s --start-period=2m --retries=3 \
  CMD ["node_modules/.bin/node", "scripts/is-ready.mjs"]
# The first process forwards signals and restarts a server that crashes.
ENTRYPOINT ["node_modules/.bin/node", "scripts/start.mjs"]
