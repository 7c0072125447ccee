# Quorum as a container: docker build -t quorum . && docker run --rm quorum doctor
# The App listens on port 3000; put a proxy with TLS in front of it.

FROM node:24-slim AS build
WORKDIR /app
COPY package.json package-lock.json ./
RUN npm ci --no-audit --no-fund
COPY tsconfig.json tsconfig.build.json ./
COPY src ./src
RUN npm run build && npm prune --omit=dev --no-audit --no-fund

FROM node:24-slim AS app
# git serves `quorum demo`, `quorum deliberate` and work on tasks.
RUN apt-get update \
  && apt-get install -y --no-install-recommends git ca-certificates \
  && rm -rf /var/lib/apt/lists/*
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 QUORUM_DATA=/data LOG_FORMAT=json
WORKDIR /app
COPY --from=build /app/node_modules ./node_modules
COPY --from=build /app/dist ./dist
COPY package.json app.yml LICENSE ./
COPY personas ./personas
COPY memory ./memory
COPY schema ./schema
RUN mkdir /data && chown node:node /data
USER node
VOLUME /data
EXPOSE 3000
HEALTHCHECK --interval=30s --timeout=5s --start-period=20s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/healthz`).then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
# Node is process 1 and hears SIGTERM itself: what is in hand is finished within 30 s.
ENTRYPOINT ["node", "dist/hosts/cli.js"]
CMD ["start"]

# With what writing code takes: docker build --target coder -t quorum-coder .
# It needs user namespaces; docs/install-app.md, step 4, has the flags. What your repositories' tests run (Python, Go …)
# goes into an image of your own: FROM quorum-coder.
FROM app AS coder
USER root
RUN apt-get update \
  && apt-get install -y --no-install-recommends bubblewrap \
  && rm -rf /var/lib/apt/lists/* \
  && npm install --global --no-audit --no-fund @anthropic-ai/claude-code@2.1.330
ENV QUORUM_CODER=local
USER node

# `docker build .` makes the last stage: the App without it.
FROM app
