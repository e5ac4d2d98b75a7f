//! Diffs of every kind, written by hand.

/// git: prefixes, a mode, a file without a final line feed, and hunks that remove dashes.
pub(crate) const GIT: &str = "\
diff --git a/src/pay.py b/src/pay.py
index 3fc4ed2..e332bc3 100644
--- a/src/pay.py
+++ b/src/pay.py
@@ -1,4 +1,5 @@ class Pay:
 one
-two
+2
+3
 four

@@ -20,3 +21,2 @@
 x
--- drop
 y
\\ No newline at end of file
diff --git a/q.sql b/q.sql
old mode 100644
new mode 100755
index 3fc4ed2..e332bc3
--- a/q.sql
+++ b/q.sql
@@ -7 +7 @@
--- a/x
+++ b/x
diff --git a/new.txt b/new.txt
new file mode 100644
index 0000000..e332bc3
--- /dev/null
+++ b/new.txt
@@ -0,0 +1,2 @@
+a
+b
";

/// A mail of `git format-patch` whose hunk ends in what could be a signature.
pub(crate) const MAIL: &str = "\
From 1234567890123456789012345678901234567890 Mon Sep 17 00:00:00 2001
From: A <a@example.org>
Subject: [PATCH] one

- a point
---
 a.sql | 2 +-
 1 file changed, 1 insertion(+), 1 deletion(-)

diff --git a/a.sql b/a.sql
index 3fc4ed2..e332bc3 100644
--- a/a.sql
+++ b/a.sql
@@ -1,3 +1,2 @@
 x
 y
-- 
-- 
2.47.3

";

/// A merge with three parents.
pub(crate) const MERGE: &str = "\
diff --combined f
index 1111111,2222222,3333333..4444444
--- a/f
+++ b/f
@@@@ -1,2 -1,3 -1,2 +1,3 @@@@ f()
    a
-   b
 -- c
+++ d
+ + e
";

/// svn: an edit, an addition, a removal, a binary file, and properties.
pub(crate) const SVN: &str = "\
Index: trunk/a.c
===================================================================
--- trunk/a.c\t(revision 12)
+++ trunk/a.c\t(working copy)
@@ -1,2 +1,2 @@
 int a;
-int b;
+int c;

Property changes on: trunk/a.c
___________________________________________________________________
Added: svn:eol-style
## -0,0 +1 ##
+native
\\ No newline at end of property
Index: trunk/new file.c
===================================================================
--- trunk/new file.c\t(nonexistent)
+++ trunk/new file.c\t(working copy)
@@ -0,0 +1 @@
+int n;
Index: trunk/gone.c
===================================================================
--- trunk/gone.c\t(revision 12)
+++ trunk/gone.c\t(nonexistent)
@@ -1 +0,0 @@
-int g;
Index: trunk/logo.png
===================================================================
Cannot display: file marked as a binary type.
svn:mime-type = application/octet-stream
Index: trunk/run.sh
===================================================================
--- trunk/run.sh\t(revision 12)
+++ trunk/run.sh\t(working copy)

Property changes on: trunk/run.sh
___________________________________________________________________
Added: svn:executable
## -0,0 +1 ##
+*
\\ No newline at end of property
";

/// hg without `--git`.
pub(crate) const HG: &str = "\
diff -r 1f3a5b7c9d0e -r 2b4c6d8e0f1a src/a.py
--- a/src/a.py\tThu Jan 01 10:00:00 2026 +0000
+++ b/src/a.py\tFri Jan 02 10:00:00 2026 +0000
@@ -3,3 +3,3 @@ def f():
 x
-y
+z
 w
diff -r 1f3a5b7c9d0e -r 2b4c6d8e0f1a src/new.py
--- /dev/null\tThu Jan 01 00:00:00 1970 +0000
+++ b/src/new.py\tFri Jan 02 10:00:00 2026 +0000
@@ -0,0 +1,1 @@
+n
diff -r 1f3a5b7c9d0e -r 2b4c6d8e0f1a src/old.py
--- a/src/old.py\tThu Jan 01 10:00:00 2026 +0000
+++ /dev/null\tThu Jan 01 00:00:00 1970 +0000
@@ -1,1 +0,0 @@
-o
diff -r 1f3a5b7c9d0e -r 2b4c6d8e0f1a logo.png
Binary file logo.png has changed
";

/// `diff -ruN` of two folders.
pub(crate) const PLAIN: &str = "\
diff -ruN old/src/a.c new/src/a.c
--- old/src/a.c\t2026-01-01 00:00:00.000000000 +0000
+++ new/src/a.c\t2026-01-02 00:00:00.000000000 +0000
@@ -1,3 +1,3 @@
 a
-b
+B
 c
\\ Kein Zeilenumbruch am Dateiende.
Only in new/src: empty
diff -ruN old/src/n.c new/src/n.c
--- old/src/n.c\t1970-01-01 01:00:00.000000000 +0100
+++ new/src/n.c\t2026-01-02 00:00:00.000000000 +0000
@@ -0,0 +1,2 @@
+n
+m
Binary files old/x.bin and new/x.bin differ
";

/// All of them.
pub(crate) const ALL: [&str; 6] = [GIT, MAIL, MERGE, SVN, HG, PLAIN];
