//! Who may ask, and what cannot be asked for.

use std::io::{Read as _, Write as _};
use std::net::{Ipv6Addr, TcpStream};

use crate::support::{Scratch, get, send, serve};

#[test]
fn only_our_own_page_on_this_machine_may_ask() {
    let scratch = Scratch::new("gate");
    let server = serve(&scratch.run());
    let port = server.port();
    let ask = |headers: &str| {
        let request = format!("GET /api HTTP/1.1\r\n{headers}Connection: close\r\n\r\n");
        send(&server, request.as_bytes()).expect("an answer").status
    };
    assert_eq!(ask(&format!("Host: 127.0.0.1:{port}\r\n")), 200);
    assert_eq!(ask(&format!("Host: LOCALHOST:{port}\r\n")), 200);
    let own = format!("Host: localhost:{port}\r\nOrigin: http://localhost:{port}\r\n");
    assert_eq!(ask(&own), 200);
    for host in ["", "Host: \r\n", "Host: 127.0.0.1\r\n", "Host: evil.example\r\n"] {
        assert_eq!(ask(host), 403, "{host:?}");
    }
    for name in ["evil.example", "127.0.0.1.evil.example", "127.0.0.2", "0.0.0.0", "[::1]"] {
        assert_eq!(ask(&format!("Host: {name}:{port}\r\n")), 403, "{name}");
    }
    assert_eq!(ask(&format!("Host: 127.0.0.1:{}\r\n", port ^ 1)), 403);
    for origin in
        ["null", "http://evil.example", "https://127.0.0.1", "file://", "http://127.0.0.1"]
    {
        let headers = format!("Host: 127.0.0.1:{port}\r\nOrigin: {origin}\r\n");
        assert_eq!(ask(&headers), 403, "{origin}");
    }
    assert!(TcpStream::connect((Ipv6Addr::LOCALHOST, port)).is_err(), "127.0.0.1 only");
}

#[test]
fn nothing_can_be_changed() {
    let scratch = Scratch::new("methods");
    let server = serve(&scratch.run());
    let host = format!("Host: 127.0.0.1:{}\r\nConnection: close\r\n\r\n", server.port());
    for method in ["POST", "PUT", "DELETE", "OPTIONS", "PATCH", "TRACE", "CONNECT"] {
        let reply = send(&server, format!("{method} / HTTP/1.1\r\n{host}").as_bytes());
        assert_eq!(reply.expect("an answer").status, 405, "{method}");
    }
    let reply = send(&server, format!("HEAD / HTTP/1.1\r\n{host}").as_bytes()).expect("an answer");
    assert!(reply.status == 200 && reply.body.is_empty() && reply.head.contains("text/html"));
}

#[test]
fn no_path_leads_out() {
    let scratch = Scratch::new("paths");
    let server = serve(&scratch.run());
    std::fs::write(scratch.0.join("secret"), "secret").expect("a file outside");
    for path in [
        "/../secret",
        "/api/../secret",
        "/api/0/../../secret",
        "/api/0/..%2f..%2fsecret",
        "/%2e%2e/secret",
        "/api/0/%2e%2e/secret",
        "/..\\secret",
        "/api/0/scene.json",
        "/api/0/lock",
        "/api/0/frames.zarr/zarr.json",
        "/api/0/body/../start",
        "/api/0/body/0/..",
        "/api/0//steps",
        "//api",
        "/api/",
        "/api/1",
        "/api/-1",
        "/api/+0",
        "/api/00000000000000000000",
        "/api/0/frame/999999999/body/1",
        "/api/0/frame/1/body/9/positions",
        "/api/0/frame/1/body/1/values/99",
        "/api/0/frame/1/body/1/values/speed",
        "/api/0/body/9/start",
        "/app.js/../app.css",
        "/APP.JS",
        "/etc/passwd",
    ] {
        let reply = get(&server, path);
        assert!(matches!(reply.status, 400 | 404 | 500), "{path}: {}", reply.status);
        assert!(
            !reply.body.windows(6).any(|w| w == b"secret") || path.contains("secret"),
            "{path}"
        );
        assert!(reply.json()["error"].is_string(), "{path}");
    }
    assert_eq!(get(&server, "/api/0/frame/999999/body/1/positions").status, 500);
}

#[cfg(unix)]
#[test]
fn links_out_of_a_run_are_not_followed() {
    use std::os::unix::fs::symlink;
    let scratch = Scratch::new("links");
    let folder = scratch.run();
    let server = serve(&folder);
    let secret = scratch.0.join("secret");
    std::fs::write(&secret, "step,secret\n0,42\n").expect("a file outside");
    for name in ["steps.csv", "probes.csv", "report.json"] {
        std::fs::remove_file(folder.join(name)).expect("removed");
        symlink(&secret, folder.join(name)).expect("a link");
        let reply = get(&server, &format!("/api/0/{}", name.split('.').next().unwrap_or_default()));
        assert_eq!(reply.status, 404, "{name}");
        assert!(!String::from_utf8_lossy(&reply.body).contains("42"), "{name}");
    }
    // As long as the chunk it stands for, so that only the link can be what is wrong.
    let chunk = folder.join("frames.zarr/bodies/block/positions/c.1.0.0");
    std::fs::rename(&chunk, scratch.0.join("numbers")).expect("moved");
    symlink(scratch.0.join("numbers"), &chunk).expect("a link");
    let reply = get(&server, "/api/0/frame/1/body/1/positions");
    assert!(reply.status == 500 && reply.json()["error"].to_string().contains("link"), "{reply:?}");
    assert_eq!(get(&server, "/api/0/frame/2/body/1/positions").status, 200);
    drop(server);

    let elsewhere = scratch.0.join("elsewhere");
    std::fs::rename(folder.join("frames.zarr"), &elsewhere).expect("moved");
    symlink(&elsewhere, folder.join("frames.zarr")).expect("a link");
    let error = stiction_view::Server::start(&[folder], None).expect_err("a link").to_string();
    assert!(error.contains("link") && error.contains("help:"), "{error}");
}

#[test]
fn malformed_requests_are_answered_or_dropped_and_the_server_lives_on() {
    let scratch = Scratch::new("malformed");
    let server = serve(&scratch.run());
    let long = format!("GET /{} HTTP/1.1\r\n", "a".repeat(100_000));
    let many = format!("GET / HTTP/1.1\r\n{}", "X: y\r\n".repeat(10_000));
    let requests: [&[u8]; 10] = [
        b"",
        b"\0\0\0\0\0\0\0\0",
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
        b"GET\r\n\r\n",
        b"GET / HTTP/9.9\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost\r\n\r\n",
        b"GET / HTTP/1.1\r\nContent-Length: 10\r\n\r\n0123456789",
        b"GET /\xff\xfe HTTP/1.1\r\n\r\n",
        long.as_bytes(),
        many.as_bytes(),
    ];
    for request in requests {
        let reply = send(&server, request);
        let status = reply.map(|reply| reply.status);
        let shown = String::from_utf8_lossy(&request[..request.len().min(40)]);
        assert!(status.is_none_or(|status| (400..500).contains(&status)), "{shown:?}: {status:?}");
    }
    assert_eq!(get(&server, "/api").status, 200);
}

#[test]
fn one_connection_serves_many_requests_even_in_pieces() {
    let scratch = Scratch::new("pieces");
    let server = serve(&scratch.run());
    let request = format!("GET /api HTTP/1.1\r\nHost: 127.0.0.1:{}\r\n\r\n", server.port());
    let mut stream = TcpStream::connect(("127.0.0.1", server.port())).expect("a connection");
    let (first, rest) = request.split_at(17);
    stream.write_all(first.as_bytes()).expect("sent");
    std::thread::sleep(std::time::Duration::from_millis(300));
    stream.write_all(format!("{rest}{request}{request}").as_bytes()).expect("sent");
    stream.shutdown(std::net::Shutdown::Write).expect("all sent");
    let mut replies = String::new();
    stream.read_to_string(&mut replies).expect("answers");
    assert_eq!(replies.matches("HTTP/1.1 200 OK").count(), 3);
}

#[test]
fn too_many_connections_are_turned_away_and_later_ones_are_not() {
    let scratch = Scratch::new("crowd");
    let server = serve(&scratch.run());
    let open = || TcpStream::connect(("127.0.0.1", server.port())).expect("a connection");
    let crowd: Vec<TcpStream> = (0..60).map(|_| open()).collect();
    std::thread::sleep(std::time::Duration::from_millis(200));
    assert_eq!(get(&server, "/api").status, 503);
    drop(crowd);
    std::thread::sleep(std::time::Duration::from_millis(600));
    assert_eq!(get(&server, "/api").status, 200);
}

#[test]
fn answers_forbid_other_origins_and_assets_are_kept() {
    let scratch = Scratch::new("headers");
    let server = serve(&scratch.run());
    let reply = get(&server, "/");
    let policy = "default-src 'none'; script-src 'self'";
    for header in [policy, "Cross-Origin-Resource-Policy: same-origin", "nosniff", "no-cache"] {
        assert!(reply.head.contains(header), "{header} in {}", reply.head);
    }
    assert!(!reply.head.to_lowercase().contains("access-control"));
    let tag = reply.head.lines().find_map(|line| line.strip_prefix("ETag: ")).expect("a tag");
    let host = format!("Host: 127.0.0.1:{}", server.port());
    let request = format!(
        "GET /app.js HTTP/1.1\r\n{host}\r\nIf-None-Match: {tag}\r\nConnection: close\r\n\r\n"
    );
    let reply = send(&server, request.as_bytes()).expect("an answer");
    assert_eq!((reply.status, reply.body.len()), (304, 0));
    assert!(get(&server, "/api").head.contains("no-store"));
}
