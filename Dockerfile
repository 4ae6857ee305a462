# deskhand without its sources and their packages: docs/serve.md, docs/workers.md
FROM node:22-slim AS build
WORKDIR /build
COPY package.json package-lock.json .npmrc ./
RUN npm ci --ignore-scripts
COPY . .
RUN node .ci/build.mjs
# The command line has its packages inside, except the client of Postgres.
RUN pg=$(npm pkg get devDependencies.pg | tr -d '"') \
  && npm pkg delete dependencies devDependencies peerDependencies peerDependenciesMeta \
  && npm pkg set "dependencies.pg=$pg" \
  && npm prune --ignore-scripts
RUN mkdir -p /out/desk /out/state && cp -r workflows /out/desk/playbooks
# A checkout may be readable by its owner only; the image is used by another user.
RUN find docs -name '*.png' -delete
RUN chmod -R a+rX package.json LICENSE bin dist docs schemas /out/desk

FROM node:22-slim
# Git for `state: git`, the authors and commits of plans, and --changed; ssh-keygen for signed approvals.
RUN apt-get update \
  && apt-get install -y --no-install-recommends ca-certificates git openssh-client \
  && rm -rf /var/lib/apt/lists/*
COPY --from=build /build/package.json /build/LICENSE /opt/deskhand/
COPY --from=build /build/bin /opt/deskhand/bin
COPY --from=build /build/dist /opt/deskhand/dist
# What `mcp` serves.
COPY --from=build /build/docs /opt/deskhand/docs
COPY --from=build /build/schemas /opt/deskhand/schemas
COPY --from=build /build/node_modules /opt/deskhand/node_modules
# New volumes start with these: the examples, and an empty state folder.
COPY --from=build --chown=node:node /out/desk /desk
COPY --from=build --chown=node:node /out/state /var/lib/deskhand
RUN ln -s /opt/deskhand/bin/deskhand.js /usr/local/bin/deskhand
ENV DESKHAND_STATE_DIR=/var/lib/deskhand
# What the first start of a command compiles; the root file system is read-only.
ENV XDG_CACHE_HOME=/tmp/cache
WORKDIR /desk
USER node
EXPOSE 8787
HEALTHCHECK --interval=10s --timeout=5s --start-period=20s CMD ["node", "-e", "fetch('http://127.0.0.1:8787/healthz').then(({ok})=>process.exit(ok?0:1),()=>process.exit(1))"]
ENTRYPOINT ["deskhand"]
CMD ["serve", "--published"]
